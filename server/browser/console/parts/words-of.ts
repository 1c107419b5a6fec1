// Several values in one field, separated by spaces or commas.

export const wordsOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter((one) => one !== '')
