"""The bot of Le Haricot Magique, and the stacks suggested to players."""
