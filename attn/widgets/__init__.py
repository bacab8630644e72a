"""Live figures: one class per figure, each with its own JavaScript."""

from attn.widgets.block_cost import BlockCost
from attn.widgets.block_switches import BlockSwitches
from attn.widgets.conv_heads import ConvHeads
from attn.widgets.cost_table import CostTable
from attn.widgets.gradient_paths import GradientPaths
from attn.widgets.head_browser import HeadBrowser
from attn.widgets.head_splitter import HeadSplitter
from attn.widgets.kit_sampler import KitSampler
from attn.widgets.layer_explorer import LayerExplorer
from attn.widgets.linear_state import LinearState
from attn.widgets.mask_editor import MaskEditor
from attn.widgets.memory_bill import MemoryBill
from attn.widgets.position_explorer import PositionExplorer
from attn.widgets.qkv_stepper import QKVStepper
from attn.widgets.receptive_field import ReceptiveField
from attn.widgets.running_state import RunningState
from attn.widgets.scale_explorer import ScaleExplorer
from attn.widgets.shape_calculator import ShapeCalculator
from attn.widgets.soft_lookup import SoftLookup
from attn.widgets.table_lookup import TableLookup
from attn.widgets.tile_stepper import TileStepper
from attn.widgets.token_plane import TokenPlane
from attn.widgets.train_live import TrainLive
from attn.widgets.training_scrubber import TrainingScrubber
from attn.widgets.two_contexts import TwoContexts

__all__ = [
    "BlockCost",
    "BlockSwitches",
    "ConvHeads",
    "CostTable",
    "GradientPaths",
    "HeadBrowser",
    "HeadSplitter",
    "KitSampler",
    "LayerExplorer",
    "LinearState",
    "MaskEditor",
    "MemoryBill",
    "PositionExplorer",
    "QKVStepper",
    "ReceptiveField",
    "RunningState",
    "ScaleExplorer",
    "ShapeCalculator",
    "SoftLookup",
    "TableLookup",
    "TileStepper",
    "TokenPlane",
    "TrainLive",
    "TrainingScrubber",
    "TwoContexts",
]
