// Base of the commands that call a document server: finds the server.
import { resolve } from 'node:path'
import { Command, Option } from 'clipanion'
import type { DocumentsClient } from '../documents/client.js'
import { dataOption } from '../documents/data-option.js'
import { Output } from '../render/output.js'
import type { Context } from '../terminal/context.js'

export interface Secrets {
  readonly documentPassword?: string | undefined
  readonly secret?: string | undefined
}

export abstract class ServerCommand extends Command<Context> {
  url = Option.String('--url', {
    description: 'Address of the server. Default: STEWARD_URL, else the one that runs here.',
  })
  token = Option.String('--token', {
    description:
      'API token. Default: STEWARD_API_TOKEN (better: others can see arguments), else of the one that runs here.',
  })
  data = dataOption('Data folder of a server that runs here.')
  json = Option.Boolean('--json', false, { description: 'Print records, one JSON object a line (docs/json.md).' })

  #output: Output | undefined

  get output(): Output {
    this.#output ??= new Output(this.context, { isJson: this.json })
    return this.#output
  }

  protected localPath(path: string): string {
    return resolve(this.context.workingFolder, path)
  }

  /**
   * Connects to the server. `documentPassword` opens encrypted documents; `secret` says in words what else the requests contain
   * that nobody else may see.
   */
  protected async connect({ documentPassword, secret }: Secrets = {}): Promise<DocumentsClient> {
    const { findServer } = await import('../documents/server-address.js')
    const { DocumentsClient } = await import('../documents/client.js')
    const { url, token, context } = this
    const { env, workingFolder } = context
    const sent = documentPassword === undefined ? secret : 'the password of a document'
    const server = await findServer({ url, token, data: this.data, secret: sent, env, workingFolder })
    return new DocumentsClient(server, documentPassword)
  }
}
