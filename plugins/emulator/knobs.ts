// Switches of a running emulator: `PUT /_emulator/knobs`, and the options it was started with.
import { type Static, type TSchema, Type } from 'typebox'
import { isObject, type Json, type JsonObject } from '../../core/value/tree.js'
import { withMembers } from '../../core/value/with-members.js'
import { issuesOf } from './issues.js'

const exact = { additionalProperties: false } as const
const Rate = Type.Number({ minimum: 0, maximum: 1 })
const Milliseconds = Type.Number({ minimum: 0, maximum: 60_000 })

export const FaultKind = Type.Enum(['rateLimited', 'overloaded', 'serverError', 'drop'])
export type FaultKind = Static<typeof FaultKind>

const Faults = Type.Object(
  {
    rate: Rate,
    seed: Type.Optional(Type.Number()),
    kinds: Type.Optional(Type.Array(FaultKind, { minItems: 1 })),
    /** Value of `Retry-After`, in milliseconds. */
    retryAfterMs: Type.Optional(Milliseconds),
  },
  exact,
)

const Scans = Type.Object(
  {
    /** Number of reads for which an accepted object stays unchecked. */
    reads: Type.Optional(Type.Integer({ minimum: 0 })),
    outcome: Type.Optional(Type.Enum(['clean', 'refused'])),
  },
  exact,
)

const Hold = Type.Object(
  {
    /** Number of the write to hold, counted over all providers from 1 since the knob was set. */
    write: Type.Integer({ minimum: 1 }),
    when: Type.Enum(['before', 'after']),
  },
  exact,
)
export type Hold = Static<typeof Hold>

/**
 * Change of the knobs. A member that is absent keeps its value, except that every `PUT` releases the current `hold`.
 */
export const KnobsChange = Type.Object(
  {
    faults: Type.Optional(Type.Union([Rate, Faults])),
    scans: Type.Optional(Scans),
    latencyMs: Type.Optional(Milliseconds),
    hold: Type.Optional(Type.Union([Hold, Type.Null()])),
  },
  // Additional members are provider-specific switches; `issueOfOwn` checks them.
  { additionalProperties: Type.Record(Type.String(), Type.Unknown()) },
)
export type KnobsChange = Static<typeof KnobsChange> & { readonly [provider: string]: unknown }

/** Switches of one provider by name: the values that each has, with the initial one as its default. */
export type OwnKnobs = Readonly<Record<string, TSchema & { readonly default: Json; readonly description: string }>>

/** A switch of one provider. */
export const Knob = <Schema extends TSchema, const Value extends Json>(
  values: Schema,
  initial: Value,
  description: string,
) => withMembers(values, { default: initial, description })

export const initialValues = (knobs: OwnKnobs): JsonObject =>
  Object.fromEntries(Object.entries(knobs).map(([name, knob]) => [name, knob.default]))

/** Returns what is wrong with a change of one provider's switches. */
export function issueOfOwn(provider: string, knobs: OwnKnobs, change: unknown): string | undefined {
  const members = Object.fromEntries(Object.entries(knobs).map(([name, knob]) => [name, Type.Optional(knob)]))
  const [issue] = issuesOf(Type.Object(members, exact), change)
  if (issue === undefined) return undefined
  const known = Object.keys(knobs).join(', ') || 'none'
  return issue.problem === 'unknown'
    ? `${provider}.${issue.path}: no such knob; ${provider} has ${known}`
    : `${provider}.${issue.path}: ${issue.message}`
}

export interface Knobs {
  readonly faults: {
    readonly rate: number
    readonly seed: number
    readonly kinds: readonly FaultKind[]
    readonly retryAfterMs: number
  }
  readonly scans: { readonly reads: number; readonly outcome: 'clean' | 'refused' }
  readonly latencyMs: number
  /** Knobs by provider. */
  readonly providers: Readonly<Record<string, JsonObject>>
}

export function startKnobs(options: {
  readonly latencyMs?: number
  readonly faultRate?: number
  readonly seed?: number
  readonly providers: Readonly<Record<string, JsonObject>>
}): Knobs {
  return {
    faults: {
      rate: options.faultRate ?? 0,
      seed: options.seed ?? 1,
      kinds: ['rateLimited', 'serverError'],
      retryAfterMs: 20,
    },
    scans: { reads: 0, outcome: 'clean' },
    latencyMs: options.latencyMs ?? 0,
    providers: options.providers,
  }
}

export function changeKnobs(knobs: Knobs, change: KnobsChange): Knobs {
  const { faults, scans, latencyMs, hold: _, ...own } = change
  const changed = Object.entries(own).flatMap(([name, knobsOfOne]) =>
    isObject(knobsOfOne) ? [[name, { ...knobs.providers[name], ...knobsOfOne }] as const] : [],
  )
  return {
    faults: { ...knobs.faults, ...(typeof faults === 'number' ? { rate: faults } : faults) },
    scans: { ...knobs.scans, ...scans },
    latencyMs: latencyMs ?? knobs.latencyMs,
    providers: { ...knobs.providers, ...Object.fromEntries(changed) },
  }
}
