// Checks the members of a write against their subtype: members that the subtype does not have are refused, read-only
// ones are ignored.
import { isDeepStrictEqual } from 'node:util'
import type { Annotation } from '../contract/annotations/annotation.js'
import { WrittenFile } from '../contract/annotations/file-attachment.js'
import {
  createOnlyMembers,
  readOnlyMembers,
  type WritableName,
  writeRulesOf,
} from '../contract/annotations/writable.js'
import type { AnnotationDraft, AnnotationPatch } from '../contract/annotations/written.js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { LazyCheck } from '../contract/lazy-check.js'
import { isLinkAddress } from '../contract/link-address.js'
import { writtenNames } from '../contract/read-only.js'
import type { ResourceKeys } from '../contract/resource-keys.js'
import type { WrittenRichText } from '../contract/rich-text.js'
import { explainSchemaError } from '../contract/schema-error.js'
import { checksOf } from './member-checks.js'
import { isPlain, isStyledText } from './plain-text.js'
import { refuseLongText } from './refuse-long-text.js'
import { isRegion, isRegionOfRect } from './region-of-rect.js'
import type { Members } from './written-members.js'
import { readableRichText } from './written-rich-text.js'

/** Members that the server stores, not the file. */
const serverMembers: ReadonlySet<string> = new Set(['groupId'])

/** Returns the members of a create. Throws `InvalidArg`. */
export function drafted(draft: AnnotationDraft): Members {
  const { required = [], requiredOneOf } = writeRulesOf(draft.subtype)
  for (const member of required) {
    if (draft[member] == null) throw wrong(member, `is needed for the subtype ${draft.subtype}`)
  }
  if (requiredOneOf?.every((member) => draft[member] == null)) {
    throw wrong(requiredOneOf.join(' or '), `is needed for the subtype ${draft.subtype}`)
  }
  refuseLongText('author', draft.author)
  const members = checkedMembers(draft.subtype, draft)
  for (const [member, value] of members) refuseUnmakeable(draft.subtype, member, value)
  return Object.fromEntries(members)
}

/** Returns the members that an update changes. Throws `InvalidArg`. */
export function changedMembersOf(name: WritableName, patch: AnnotationPatch, current: Annotation): Members {
  if (patch['subtype'] !== undefined && patch['subtype'] !== name) {
    throw wrong('subtype', `is ${name} and cannot be changed`)
  }
  const now: Members = { ...current }
  const changed = checkedMembers(name, patch).filter(([member, value]) => !isSame(member, value, now))
  for (const [member, value] of changed) {
    if (createOnlyMembers.has(member)) throw wrong(member, 'can be set only when an annotation is created')
    refuseUnmakeable(name, member, value)
  }
  return Object.fromEntries(changed)
}

/** Returns the members of an annotation that a write could change. */
export const writtenOf = (annotation: Annotation): Members =>
  Object.fromEntries(
    Object.entries(annotation).filter(([member]) => !readOnlyMembers.has(member) && !serverMembers.has(member)),
  )

/** Throws `ChangeConflict` if the current annotation differs from what the caller expects. */
export function refuseUnexpected(expect: AnnotationPatch | undefined, current: Annotation): void {
  const now: Members = { ...current }
  const fields = Object.entries(expect ?? {})
    .filter(([member]) => !serverMembers.has(member))
    .filter(([member, value]) => !isSame(member, value, now))
    .map(([member]) => member)
  if (fields.length > 0)
    throw new JobRefusal('ChangeConflict', 'The annotation was changed by somebody else', { fields })
}

const isSame = (member: string, value: unknown, now: Members): boolean =>
  isDeepStrictEqual(asWritten(member, value), asWritten(member, now[member])) ||
  (value === null && isUnset(member, now))

/** True if the file has no such member, so that a read derives it from others. */
function isUnset(member: string, now: Members): boolean {
  if (member === 'quadPoints') return isRegion(now) && isRegionOfRect(now)
  if (member !== 'richText' || !isStyledText(now) || now.richText === undefined) return false
  return isPlain({ ...now, richText: now.richText })
}

/** Leaves out the members of an attached file that only reads return, its size and its dates, and those without a value. */
function asWritten(member: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (member === 'richText' && isRichText(value)) return readableRichText(value)
  if (member !== 'file') return value
  return Object.fromEntries(
    Object.entries(value).filter(([name, given]) => fileMembers.includes(name) && given !== null),
  )
}

const isRichText = (value: object): value is WrittenRichText => 'paragraphs' in value && Array.isArray(value.paragraphs)

const fileMembers = writtenNames(WrittenFile)

function checkedMembers(name: WritableName, write: Members): readonly (readonly [string, unknown])[] {
  const { written } = checksOf(name)
  // An empty member of another subtype has no effect.
  const members = Object.entries(write).filter(
    ([member, value]) => !readOnlyMembers.has(member) && value !== undefined && (written.has(member) || value !== null),
  )
  const [foreign] = members.find(([member]) => !written.has(member)) ?? []
  if (foreign !== undefined) throw wrong(foreign, `does not exist for the subtype ${name}`)
  return members
    .filter(([member]) => !serverMembers.has(member))
    .map(([member, value]) => {
      checkMember(member, value, written.get(member))
      return [member, withDefaults(member, value)] as const
    })
}

/** Adds the default of the reply type (ISO 32000-2, table 172): reply. */
function withDefaults(member: string, value: unknown): unknown {
  return member === 'reply' && typeof value === 'object' && value !== null ? { type: 'reply', ...value } : value
}

function refuseUnmakeable(name: WritableName, member: string, value: unknown): void {
  checkMember(member, value, checksOf(name).narrow.get(member))
  if (member === 'target') refuseOtherAddress(value)
  refuseLongText(member, value)
}

/** Throws `InvalidArg` for the target of a link that would run or open more than a page of the web. */
function refuseOtherAddress(target: unknown): void {
  if (typeof target !== 'object' || target === null || !('uri' in target) || typeof target.uri !== 'string') return
  if (isLinkAddress(target.uri)) return
  throw new JobRefusal('InvalidArg', 'The address of a link begins with http:, https:, mailto: or tel:', {
    member: 'target/uri',
  })
}

const resourceOwners = { appearance: 'stamps', file: 'attached files' } as const

/** Refuses files of a request that the subtype does not use. `role`: the one it uses. Throws `InvalidArg`. */
export function refuseForeignResources(resources: ResourceKeys, role: keyof ResourceKeys | undefined): void {
  for (const other of ['appearance', 'file'] as const) {
    if (resources[other] !== undefined && other !== role)
      throw wrong(`resources/${other}`, `is only for ${resourceOwners[other]}`)
  }
}

function checkMember(member: string, value: unknown, check: LazyCheck | undefined): void {
  if (check === undefined || check.passes(value)) return
  const { pointer, message } = explainSchemaError(check.schema, value)
  throw wrong(`${member}${pointer}`, message)
}

export const wrong = (member: string, message: string): JobRefusal =>
  new JobRefusal('InvalidArg', `The member ${member} ${message}`, { member })
