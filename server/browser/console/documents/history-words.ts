// Puts entries of the audit log and of the log of reads into words of the reader's language.
import type { Static } from 'typebox'
import type { AuditEntry, ReadEntry } from '../../../schemas/document-history.js'
import { locale, textsIn } from '../../shared/language.js'
import { countText } from '../format.js'
import { historyChinese } from '../languages/history-chinese.js'
import { type HistoryName, historyEnglish } from '../languages/history-english.js'
import { historyGerman } from '../languages/history-german.js'

export const historyText = textsIn<HistoryName>({ en: historyEnglish, de: historyGerman, zh: historyChinese })

const isNamed = (name: string): name is HistoryName => Object.hasOwn(historyEnglish, name)

const listed = (words: readonly string[]): string => new Intl.ListFormat(locale, { type: 'conjunction' }).format(words)

/** `removed annotations of Ada (2), page 3`; the kind itself where there are no words for it. */
export function changeWords({ kind, facts }: Pick<Static<typeof AuditEntry>, 'kind' | 'facts'>): string {
  if (facts === null) return isNamed(kind) ? historyText(kind) : kind
  const ofOps = facts.ops.flatMap(({ type, count }) => {
    // What happened to annotations is said below, with whose they are.
    if (isNamed(type)) return [counted(historyText(type), count)]
    return facts.annotations.length > 0 && type.startsWith('annotations.') ? [] : [counted(type, count)]
  })
  const ofAnnotations = facts.annotations.map(({ effect, count, authors }) => {
    const what = historyText(effect)
    const whose = authors.length === 0 ? what : historyText('ofPeople', { what, names: listed(authors) })
    return counted(whose, count)
  })
  const words = [...ofOps, ...ofAnnotations]
  return onPages(words.length === 0 ? kind : listed(words), facts.pages)
}

export function readWords({ kind, count }: Pick<Static<typeof ReadEntry>, 'kind' | 'count'>): string {
  return counted(historyText(kind), count)
}

const counted = (what: string, count: number): string =>
  count === 1 ? what : historyText('times', { what, count: countText(count) })

const onPages = (what: string, pages: readonly number[]): string =>
  pages.length === 0 ? what : historyText('onPages', { what, numbers: pages.map(countText).join(', ') })
