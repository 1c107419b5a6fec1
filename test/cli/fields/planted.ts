// Projects with a secret in every field of every kind, each in its own declaration and with its own variable.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sampleMap, sampleName } from '../../../cli/reference/sample.js'
import { type SchemaView, viewOf } from '../../../core/declaration/schema-view.js'
import type { JsonObject } from '../../../core/value/tree.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { bodyIn, capabilityIn, type Lane } from '../../../plugins/kinds/lanes.js'
import { fieldPlacesIn } from '../../support/field-places.js'

/** One field with a secret, in its own declaration. */
export interface Plant {
  /** `agents` */
  readonly section: string
  readonly kind: string
  readonly name: string
  readonly number: number
  readonly variable: string
  /** True if the value is the path of a file or folder. */
  readonly isPath: boolean
  readonly text: string
  /** Name of the field in messages: `agent.metadata.<value>` */
  readonly place: string
  readonly schema: SchemaView
  readonly body: JsonObject
}

/** Texts that a field may accept, with `${V}` in them; plan and apply run with the first accepted one. */
export const forms = [
  '${V}',
  'With ${V}.',
  'https://${V}.example.com/mcp',
  'https://a.example/${V}',
  '${V}.example',
  'in/${V}.md',
  './have/${V}',
] as const

/** Texts by place. */
export function plantsOf(lane: Lane): readonly (readonly Plant[])[] {
  let count = 0
  return kinds.flatMap(({ kind, section, schema }) => {
    if (capabilityIn(lane, kind) === undefined) return []
    return fieldPlacesIn(viewOf(schema), lane.provider.name).map((place) =>
      forms
        .filter((form) => form !== './have/${V}' || isPath(place.schema))
        .map((form): Plant => {
          const variable = `V${++count}`
          const text = form.replace('V', variable)
          const { path } = place
          const { [path.split(/[.[(]/)[0] ?? '']: _, ...base } = baseOf(kind, lane, String(count))
          const body = bodyIn(lane, kind, { ...place.withText(text), ...base })
          return {
            section,
            kind,
            name: `p${count}`,
            number: count,
            variable,
            isPath: isPath(place.schema),
            text,
            place: `${kind}.${path} ${form}`,
            schema: place.schema,
            body,
          }
        }),
    )
  })
}

function isPath(schema: SchemaView): boolean {
  return schema['x-path'] !== undefined || schema['x-text-or-path'] === true
}

/** True where the variable gives the id of an existing object, which state records like every id. */
export function isExternalId({ kind, text, body }: Plant): boolean {
  return kinds.find((one) => one.kind === kind)?.external?.(body) === text
}

/** Members that rules and providers require besides those of the schema. */
function baseOf(kind: string, { provider }: Lane, unique: string): JsonObject {
  const models: JsonObject = { bailian: 'qwen3.7-max', claude: 'claude-sonnet-5', ark: 'doubao-seed-evolving' }
  const bases: Readonly<Record<string, JsonObject>> = {
    agent: { model: models[provider.name] ?? 'ultimate', environment: sampleName },
    environment: { config: { type: 'cloud' } },
    skill: { source: './sample' },
    identity: { external_id: `user-${unique}` },
    tunnel: { tunnel_id: 'tnl_emulator' },
    channel: {
      type: 'dingtalk',
      agent: sampleName,
      identity: sampleName,
      credentials: { client_id: `id-${unique}`, client_secret: 'text' },
    },
  }
  return bases[kind] ?? {}
}

/** One declaration per line, so that the line of a diagnostic identifies the declaration. */
export function projectText(
  lane: Lane,
  plants: readonly Plant[],
): { readonly text: string; readonly lines: ReadonlyMap<number, Plant> } {
  const declared = kinds.filter(({ kind }) => capabilityIn(lane, kind) !== undefined)
  const has = (kind: string) => declared.some((one) => one.kind === kind)
  const lines = [
    'version: "1"',
    `providers: ${JSON.stringify({ [lane.provider.name]: sampleMap(viewOf(lane.provider.configuration)) })}`,
    ...(has('identity') ? [`defaults: { identity: ${sampleName} }`] : []),
  ]
  const known = new Map<number, Plant>()
  for (const { kind, section, schema } of declared) {
    lines.push(
      `${section}:`,
      `  ${sampleName}: ${JSON.stringify(bodyIn(lane, kind, { ...sampleMap(viewOf(schema)), ...baseOf(kind, lane, sampleName) }))}`,
    )
    for (const plant of plants.filter((one) => one.section === section)) {
      lines.push(`  ${plant.name}: ${JSON.stringify(plant.body)}`)
      known.set(lines.length, plant)
    }
  }
  return { text: `${lines.join('\n')}\n`, lines: known }
}

const skillText = '---\nname: sample\ndescription: A sample.\n---\nDo it.\n'

/** Files and folders that declarations name, those with a value in their name included. */
export function writeSources(folder: string, values: Iterable<readonly [Plant, string]>): void {
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  put('sample.md', 'A sample.\n')
  put('sample/SKILL.md', skillText)
  for (const [{ text, variable, schema, isPath }, value] of values) {
    if (!isPath || !/^\.\/have|^in\//.test(text) || /[\n/]/.test(value)) continue
    const path = text.replace(`\${${variable}}`, value)
    if (schema['x-path'] === 'folder') put(`${path}/SKILL.md`, skillText)
    else put(path, 'A sample.\n')
  }
}
