"""These tests compare small tensors: a pool of threads costs more than it gives."""

import torch

torch.set_num_threads(1)
