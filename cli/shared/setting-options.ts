// Options of `agents serve`, with names and descriptions from the schema of the settings.
import { Option } from 'clipanion'
import { flagOf, type SettingName, Settings } from '../../server/settings/config.js'

export const textSetting = (name: SettingName) => Option.String(`--${flagOf(name)}`, { description: describe(name) })

export const switchSetting = (name: SettingName) => Option.Boolean(`--${flagOf(name)}`, { description: describe(name) })

export const listSetting = (name: SettingName) => Option.Array(`--${flagOf(name)}`, { description: describe(name) })

interface Annotations {
  readonly description?: string
  readonly default?: unknown
}

function describe(name: SettingName): string {
  // The type of a TypeBox schema lacks the annotations that the schema has at run time.
  const schema: object = Settings.properties[name]
  const { description = '', default: otherwise }: Annotations = schema
  const isPlain = typeof otherwise === 'string' || typeof otherwise === 'number'
  return isPlain ? `${description} Default ${otherwise}.` : description
}
