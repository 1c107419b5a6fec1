// What a change did, in facts that can be put into words in any language: ops, and what happened to whose annotations. They
// contain nothing of the content, so that they stay when a redaction withholds it.
import type { TouchedAnnotation } from '../../workers/change/touched-annotations.js'
import type { ChangeFacts } from '../rows/audit.js'

export interface ChangeFactsRequest {
  readonly items: readonly { readonly type: string }[]
  /** Object numbers of new annotations. */
  readonly created: readonly number[]
  readonly touched: readonly TouchedAnnotation[]
  readonly pages: readonly number[]
  /** Person who made the change, if the credential names one. */
  readonly self: string | null
  readonly authorOf: (annotation: number) => Promise<string | null>
}

/** Authors are looked up for so many annotations, and so many are named; the counts include all. */
const lookedUpMax = 100
const namedMax = 10

export async function changeFacts(request: ChangeFactsRequest): Promise<ChangeFacts> {
  const { items, created, touched, pages } = request
  const effects = ['changed', 'removed', 'restored'] as const
  const existing = await Promise.all(
    effects.map(async (effect) => {
      const numbers = touched.filter((one) => one.effect === effect && !one.isOfForm).map(({ number }) => number)
      return { effect, count: numbers.length, authors: await othersOf(numbers, request) }
    }),
  )
  const all = [{ effect: 'created' as const, count: created.length, authors: [] }, ...existing]
  const ops = counted(items.map(({ type }) => type))
  return { ops, pages: [...pages], annotations: all.filter(({ count }) => count > 0) }
}

/** Returns the authors of annotations, without the person who made the change. */
async function othersOf(numbers: readonly number[], { self, authorOf }: ChangeFactsRequest): Promise<string[]> {
  const others = new Set<string>()
  for (const number of numbers.slice(0, lookedUpMax)) {
    const author = await authorOf(number)
    if (author !== null && author !== self) others.add(author)
    if (others.size >= namedMax) break
  }
  return [...others]
}

function counted(types: readonly string[]): ChangeFacts['ops'] {
  const counts = new Map<string, number>()
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1)
  return [...counts].map(([type, count]) => ({ type, count }))
}
