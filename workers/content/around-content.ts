// Determines operators around a page's content so that appended content is drawn as on an empty page: the content may
// leave graphics states, text objects, marked content and strings open, or restore more states than it saved.
import { operatorsOf } from './operators.js'

export interface AroundContent {
  readonly before: string
  readonly after: string
}

/** Maximum number of unclosed constructs on a page; no real page has more. */
const openMax = 100_000

interface OpenOperators {
  /** Number of open graphics states; negative if the content restores more than it saved. */
  readonly states: number
  readonly statesLeast: number
  readonly marks: number
  readonly isText: boolean
}

const steps: Readonly<Record<string, (open: OpenOperators) => OpenOperators>> = {
  q: (open) => ({ ...open, states: open.states + 1 }),
  Q: (open) => ({ ...open, states: open.states - 1, statesLeast: Math.min(open.statesLeast, open.states - 1) }),
  BT: (open) => ({ ...open, isText: true }),
  ET: (open) => ({ ...open, isText: false }),
  BMC: (open) => ({ ...open, marks: open.marks + 1 }),
  BDC: (open) => ({ ...open, marks: open.marks + 1 }),
  EMC: (open) => ({ ...open, marks: Math.max(0, open.marks - 1) }),
}

/** Returns the operators. `content`: all content streams of the page, one character per byte. */
export function aroundContent(content: string): AroundContent {
  let open: OpenOperators = { states: 0, statesLeast: 0, marks: 0, isText: false }
  const operators = operatorsOf(content)
  let next = operators.next()
  for (; next.done !== true; next = operators.next()) {
    const { name } = next.value
    if (Object.hasOwn(steps, name)) open = steps[name]?.(open) ?? open
  }
  // One more state is saved than the content restores by itself, so that the initial state can be restored after it.
  const saved = Math.min(1 - open.statesLeast, openMax)
  const states = 'Q '.repeat(Math.min(saved + open.states, openMax))
  const marks = 'EMC '.repeat(Math.min(open.marks, openMax))
  return {
    before: `${'q '.repeat(saved)}\n`,
    after: ['', next.value, open.isText ? 'ET' : '', marks, states, ''].join('\n'),
  }
}
