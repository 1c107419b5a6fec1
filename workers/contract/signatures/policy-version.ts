// Version of the rules that later changes of signed documents are judged by (`workers/signatures/analysis/policy`).
// Answers about versions are cached without expiry under this number, so every change of a rule or its conditions
// increments it.
export const policyVersion = 3
