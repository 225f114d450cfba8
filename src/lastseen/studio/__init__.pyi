from .feed import Feed as Feed, connect as connect
