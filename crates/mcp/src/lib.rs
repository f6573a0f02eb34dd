//! Skills over MCP: the crate has its place and its edge, and nothing in it yet.
