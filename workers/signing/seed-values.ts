// Applies the requirements of a field on its signature (`/SV`; ISO 32000-2, tables 237 to 239). A mandatory requirement
// that cannot be met refuses the signature and names the entry.
import type { PDFObject } from 'mupdf'
import type { SignaturePrepare, SigningDigest, SubFilter } from '../contract/signatures/preparation.js'
import {
  demandingEntries,
  digestOfMethod,
  isRequiredEntry,
  type SeedEntry,
  seedListMax,
  seedVersionMax,
  signatureHandler,
  supportedSubFilters,
  unsupportedEntries,
} from '../contract/signatures/seed-entries.js'
import {
  elementsOf,
  entry,
  integerOf,
  isArray,
  isDictionary,
  isMissing,
  nameOf,
  numberOf,
  textOf,
} from '../objects/values.js'
import { type Constraint, signatureRefused } from './signature-refused.js'

/** Properties of a signature that follow from the request and the field. */
export interface SignatureChoices {
  readonly subFilter: SubFilter
  readonly digest: SigningDigest
  readonly reason: string | undefined
}

/** Throws `SignatureRefused`. `seed`: `/SV` of the field, or the null object. */
export function choicesFor(seed: PDFObject, request: SignaturePrepare): SignatureChoices {
  const values = new SeedValues(seed)
  values.refuseUnsupported()
  values.refuseOtherCertification(request)
  return {
    subFilter: values.choose('SubFilter', { wanted: request.subFilter, known: supportedSubFilters }),
    digest: values.digest(request.digest),
    reason: values.reason(request.signer?.reason),
  }
}

class SeedValues {
  readonly #flags: number

  constructor(private readonly seed: PDFObject) {
    this.#flags = integerOf(entry(seed, 'Ff')) ?? 0
  }

  refuseUnsupported(): void {
    const filter = nameOf(entry(this.seed, 'Filter'))
    if (filter !== undefined && filter !== signatureHandler && this.#isRequired('Filter')) {
      throw signatureRefused('Filter', `The field demands the signature handler ${filter.slice(0, 100)}`)
    }
    const version = numberOf(entry(this.seed, 'V'))
    if (version !== undefined && version > seedVersionMax && this.#isRequired('V')) {
      throw signatureRefused('V', `The field demands version ${version} of seed values`)
    }
    for (const key of unsupportedEntries) {
      if (this.#isRequired(key) && !isMissing(entry(this.seed, key))) throw notSupported(key)
    }
    for (const key of demandingEntries) {
      if ((integerOf(entry(this.seed, key, 'Ff')) ?? 0) !== 0) throw notSupported(key)
    }
  }

  /**
   * Refuses a certification that does not match `/MDP`, which has no flag: a field that has it either requires a
   * certification or forbids one.
   */
  refuseOtherCertification({ certify }: SignaturePrepare): void {
    const permission = integerOf(entry(this.seed, 'MDP', 'P'))
    if (permission === undefined || permission === (certify?.permission ?? 0)) return
    const demand = permission === 0 ? 'no certification' : `a certification with permission ${permission}`
    throw signatureRefused('MDP', `The field demands ${demand}`)
  }

  choose<Value extends string>(
    key: 'SubFilter',
    {
      wanted,
      known,
    }: { readonly wanted: Value | undefined; readonly known: readonly [Value, ...Value[]] | readonly Value[] },
  ): Value {
    const allowed = namesIn(entry(this.seed, key))
    const found = wanted ?? known.find((value) => value === allowed.find((name) => known.some((one) => one === name)))
    return this.#checkChoice(key, {
      allowed,
      value: found ?? fallback(known),
      isAllowed: (value) => allowed.includes(value),
    })
  }

  digest(wanted: SigningDigest | undefined): SigningDigest {
    const allowed = namesIn(entry(this.seed, 'DigestMethod'))
    const usable = allowed.flatMap((method) => digestOfMethod(method) ?? [])
    const value = wanted ?? usable[0] ?? 'sha256'
    return this.#checkChoice('DigestMethod', { allowed, value, isAllowed: (digest) => usable.includes(digest) })
  }

  /** Returns the reason to write. An empty list, or one with only a full stop, forbids a reason. */
  reason(wanted: string | undefined): string | undefined {
    if (!isArray(entry(this.seed, 'Reasons')) || !this.#isRequired('Reasons')) return wanted
    const allowed = namesIn(entry(this.seed, 'Reasons'))
    const [only] = allowed
    const isForbidden = allowed.length === 0 || (allowed.length === 1 && only === '.')
    if (isForbidden && wanted !== undefined)
      throw signatureRefused('Reasons', 'The field demands that no reason is given')
    if (isForbidden) return undefined
    const value = wanted ?? (allowed.length === 1 ? only : undefined)
    if (value !== undefined && allowed.includes(value)) return value
    throw signatureRefused('Reasons', 'The field demands one of the reasons that it lists')
  }

  #checkChoice<Value extends string>(
    key: 'SubFilter' | 'DigestMethod',
    checked: {
      readonly allowed: readonly string[]
      readonly value: Value
      readonly isAllowed: (value: Value) => boolean
    },
  ): Value {
    const { allowed, value, isAllowed } = checked
    if (isMissing(entry(this.seed, key)) || isAllowed(value) || !this.#isRequired(key)) return value
    const list = allowed.slice(0, 8).join(', ').slice(0, 200)
    throw signatureRefused(key, list === '' ? `The field permits no ${key}` : `The field demands one of ${list}`)
  }

  #isRequired(key: SeedEntry): boolean {
    return isDictionary(this.seed) && isRequiredEntry(this.#flags, key)
  }
}

const namesIn = (list: PDFObject): readonly string[] =>
  [...elementsOf(list, seedListMax)].flatMap((value) => nameOf(value) ?? textOf(value) ?? [])

function fallback<Value>([first]: readonly Value[]): Value {
  if (first === undefined) throw new Error('There is no value to choose')
  return first
}

const notSupported = (key: Constraint) =>
  signatureRefused(key, `The field demands ${key}, which this server does not support`)
