// Base of commands that start a session: the options that add to what the agent declares.
import { Option } from 'clipanion'
import type { NewSession, StartedSession } from '../../core/sessions/create.js'
import { keyValues } from '../line/key-values.js'
import { UsageProblem } from '../line/usage.js'
import { visible } from '../render/text.js'
import { ActionCommand } from './action-command.js'

export abstract class NewSessionCommand extends ActionCommand {
  identity = Option.String('--identity', {
    description: 'The end user. Default: defaults.identity, where there are any.',
  })
  environment = Option.String('--environment', { description: "Instead of the agent's own." })
  vault = Option.Array('--vault', { description: 'One more vault; repeatable.' })
  memoryStore = Option.Array('--memory-store', { description: 'One more memory store; repeatable.' })
  tunnel = Option.String('--tunnel', { description: "Instead of the agent's own." })
  files = Option.Array('--file', {
    description:
      'One more file, mounted for the agent to read: a name of agents.yaml, or the path of a file to upload (./notes where a name is the same); repeatable.',
  })
  env = Option.Array('--env', { description: 'An environment variable, KEY=VALUE; repeatable.' })
  budget = Option.String('--budget', {
    description: "What the session may cost at list prices, in dollars, instead of the agent's own: 2.50.",
  })
  title = Option.String('--title', { description: 'What lists of sessions show.' })

  /** Returns what the options ask for. Throws for a malformed one. */
  protected request(): Pick<NewSession, 'request' | 'folder'> {
    const { identity, environment, tunnel, title, budget } = this
    const request = {
      ...givenMembers({ identity, environment, tunnel, title }),
      ...(budget === undefined ? {} : { budget: dollars(budget) }),
      vaults: this.vault ?? [],
      memoryStores: this.memoryStore ?? [],
      files: this.files ?? [],
      variables: keyValues('--env', this.env ?? []),
    }
    return { request, folder: this.context.workingFolder }
  }

  /** Says which local files the provider has now. They stay there until somebody deletes them. */
  protected reportUploads(provider: string, uploaded: StartedSession['uploaded']): void {
    for (const { path, id } of uploaded) {
      this.output.record({ type: 'uploaded', provider, id, path })
      this.output.note(`Uploaded ${visible(path)} as ${visible(id)}.`)
    }
  }
}

/** Reads an amount with at most two decimals, since the smallest unit is a cent. */
function dollars(written: string): number {
  const amount = /^\d{1,9}(\.\d{1,2})?$/.test(written) ? Number(written) : 0
  if (amount > 0) return amount
  throw new UsageProblem('cli.bad-value', {
    detail: `--budget needs an amount in dollars above 0 with two decimals at most, and not "${written}".`,
    fix: 'Write it like 2.50.',
  })
}

/** Leaves out members that were not given: providers distinguish them from empty ones. */
function givenMembers<Key extends string>(
  members: Readonly<Record<Key, string | undefined>>,
): { readonly [K in Key]?: string } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in Key]?: string
  }
}
