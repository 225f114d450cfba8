"""What travels between studio and page: messages, frames and the data of the greeting."""
