// Version of the rules that later changes of signed documents are judged by (`workers/signatures/analysis/policy`). Answers
// for versions are cached for good under it, so every change of a rule or of its conditions is a new one.
export const policyVersion = 2
