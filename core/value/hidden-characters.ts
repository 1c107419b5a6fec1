// Characters that nobody sees as what they are: controls, line breaks among them, direction marks, and characters without
// width (but not those that join letters). Each of them can make one text look like another, or like more than one line.

/** Finds the first one. */
export const hiddenCharacter = /[\p{Cc}\p{Surrogate}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u
