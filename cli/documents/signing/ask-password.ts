// Ways in which commands obtain the password of a key.
export type AskPassword = (question: string) => Promise<string>
