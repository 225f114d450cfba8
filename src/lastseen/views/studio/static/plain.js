// Removes control characters and marks that reverse or hide text: with them a name could pose as another.

const MARKS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g;

// Text of a file or of the server for display; values that are sent back stay unchanged.
export const plain = (text) => String(text).replace(MARKS, "");
