// Base of commands that start a session: the options that add to what the agent declares.
import { Option } from 'clipanion'
import type { NewSession } from '../../core/sessions/create.js'
import { keyValues } from '../line/key-values.js'
import { ActionCommand } from './action-command.js'

export abstract class NewSessionCommand extends ActionCommand {
  identity = Option.String('--identity', {
    description: 'The end user. Default: defaults.identity, where there are any.',
  })
  environment = Option.String('--environment', { description: "Instead of the agent's own." })
  vault = Option.Array('--vault', { description: 'One more vault; repeatable.' })
  memoryStore = Option.Array('--memory-store', { description: 'One more memory store; repeatable.' })
  tunnel = Option.String('--tunnel', { description: "Instead of the agent's own." })
  files = Option.Array('--file', { description: 'One more file, mounted for the agent to read; repeatable.' })
  env = Option.Array('--env', { description: 'An environment variable, KEY=VALUE; repeatable.' })
  title = Option.String('--title', { description: 'What lists of sessions show.' })

  /** Returns what the options ask for. Throws for a malformed one. */
  protected request(): NewSession['request'] {
    const { identity, environment, tunnel, title } = this
    return {
      ...givenMembers({ identity, environment, tunnel, title }),
      vaults: this.vault ?? [],
      memoryStores: this.memoryStore ?? [],
      files: this.files ?? [],
      variables: keyValues('--env', this.env ?? []),
    }
  }
}

/** Leaves out members that were not given: providers distinguish them from empty ones. */
function givenMembers<Key extends string>(
  members: Readonly<Record<Key, string | undefined>>,
): { readonly [K in Key]?: string } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in Key]?: string
  }
}
