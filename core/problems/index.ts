// All problems that the engine raises after reading agents.yaml, and functions that raise them.
import { fromTable } from '../diagnostic.js'
import { actionProblems } from './actions.js'
import { applyProblems } from './apply.js'
import { callProblems } from './calls.js'
import { planProblems } from './plan.js'
import { stateProblems } from './state.js'
import { syncProblems } from './sync.js'

export const engineProblems = {
  ...planProblems,
  ...applyProblems,
  ...callProblems,
  ...stateProblems,
  ...syncProblems,
  ...actionProblems,
} as const

export type EngineCode = keyof typeof engineProblems

export const { diagnostic, problem } = fromTable<EngineCode>(engineProblems)
