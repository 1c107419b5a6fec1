// `--data` of commands that look for a server on this machine. `agents serve` reads the same environment variable.
import { Option } from 'clipanion'
import { dataDefault, environmentNameOf } from '../../server/settings/config.js'

const variable = environmentNameOf('data')

export const dataOption = (description: string) =>
  Option.String('--data', {
    description: `${description} Default ${variable}, else ${dataDefault}.`,
  })

export function dataFolder(given: string | undefined, env: Readonly<Record<string, string | undefined>>): string {
  return given ?? (env[variable] || dataDefault)
}
