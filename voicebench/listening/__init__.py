"""Native speakers listen: an offline page over an audio folder, and what their ratings say."""
