"""Synthesis of a core: area for UltraScale+ parts, place and route for ECP5."""
