class FourSearch:
    """Looks for continuous fours on a board that its owner plays on."""
