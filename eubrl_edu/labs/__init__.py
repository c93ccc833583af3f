"""Widgets: controls, a pure computation, and a picture with its words."""
