// Schemas of marking by content: what to find, how the marks look, and what the answer counts.
import { type Static, type TSchema, Type } from 'typebox'
import { quadMembers } from './annotations/shared-members.js'
import { type WritableName, writtenMembers } from './annotations/writable.js'
import { SomePages } from './named-pages.js'
import { CountFromZero } from './numbers.js'
import { PageRef } from './page-ref.js'
import { strict } from './strict.js'
import { Words } from './words.js'

/** Maximum length of the text or pattern, that of a search. */
const soughtCharactersMax = 1_000
const SoughtText = Type.Optional(Type.String({ minLength: 1, maxLength: soughtCharactersMax }))
const Switch = Type.Optional(Type.Boolean())

export const Preset = Words(['email', 'iban', 'card', 'phone'])
export type Preset = Static<typeof Preset>

/** What to find: exactly one of `text`, `regex` and `preset`. The switches are those of a search. */
const soughtMembers = {
  text: SoughtText,
  regex: SoughtText,
  preset: Type.Optional(Preset),
  matchCase: Switch,
  matchDiacritics: Switch,
  wholeWord: Switch,
  ignoreWhitespace: Switch,
}
const SoughtMembers = Type.Object(soughtMembers)
export type Sought = Static<typeof SoughtMembers>

const kinds = ['redact', 'highlight'] as const satisfies readonly WritableName[]
export type MarkKind = (typeof kinds)[number]

/** Members of a draft that the place of a mark determines, or that several annotations cannot share. */
const ownToEach: ReadonlySet<string> = new Set(['rect', 'quadPoints', 'nm', 'reply'])

const lookMembers: Readonly<Record<string, TSchema>> = Object.fromEntries(
  kinds
    .flatMap((kind) => Object.entries(writtenMembers(kind)))
    .filter(([member]) => !ownToEach.has(member))
    .map(([member, schema]) => [member, Type.Optional(schema)]),
)

export interface MarkDraft {
  readonly subtype: MarkKind
  readonly [member: string]: unknown
}

/** A draft of an annotation without its place. Whether a member belongs to the subtype is checked with the draft. */
export const MarkDraft = Type.Unsafe<MarkDraft>(Type.Object({ subtype: Type.Enum(kinds), ...lookMembers }, strict))

/** Without `pages`, every page is searched; without `data`, the marks are redaction marks of the standard look. */
export const markRequestMembers = { ...soughtMembers, pages: Type.Optional(SomePages), data: Type.Optional(MarkDraft) }
export const MarkRequest = Type.Object(markRequestMembers, strict)

/** What is on a page besides the text that is searched; text there is neither found nor marked. */
export const Unseen = Type.Object({
  hiddenCharacters: CountFromZero,
  unreadableCharacters: CountFromZero,
  pictures: CountFromZero,
  drawings: CountFromZero,
  annotations: CountFromZero,
  fields: CountFromZero,
})
export type Unseen = Static<typeof Unseen>

const counts = { hits: CountFromZero, marked: CountFromZero, skipped: CountFromZero, unseen: Unseen }

export const MarkCounts = Type.Object({ pages: CountFromZero, ...counts })
export type MarkCounts = Static<typeof MarkCounts>

/** Counts of one page. */
export const PageMarkCounts = Type.Object({ page: PageRef, ...counts })
export type PageMarkCounts = Static<typeof PageMarkCounts>

/** `pages`: those with a hit, or with something unseen. */
export const markReportMembers = { total: MarkCounts, pages: Type.Array(PageMarkCounts) }
const MarkReport = Type.Object(markReportMembers)
export type MarkReport = Static<typeof MarkReport>

/** Place of a mark that would be made. */
export const PreviewedMark = Type.Object({ page: PageRef, ...quadMembers })
export type PreviewedMark = Static<typeof PreviewedMark>

export const MarkPreview = Type.Object({ ...markReportMembers, marks: Type.Array(PreviewedMark) })
