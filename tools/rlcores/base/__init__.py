"""What stands below everything: files, paths, tools, reports. It imports nothing of rlcores but its errors."""
