// How commands ask for the password of a key, wherever it comes from.
export type AskPassword = (question: string) => Promise<string>
