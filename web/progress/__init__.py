"""What a reader has solved: the overview and the ticks in the sidebar."""
