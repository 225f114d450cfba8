// Which marks are never shown? Those that turn writing round or move the pen: a name could pose as another by them.

const MARKS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g;

// Text of a file or of the server as it is shown; what is sent back stays as it came.
export const plain = (text) => String(text).replace(MARKS, "");
