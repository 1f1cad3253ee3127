"""What goes over the wire to servers: places and their keys, requests, retries, streams and their times."""
