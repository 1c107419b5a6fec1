// Every problem the engine raises after agents.yaml was read, and the two ways to raise one.
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
