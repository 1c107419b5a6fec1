// Base of commands that read the content of a document, which may be encrypted.
import { Option } from 'clipanion'
import type { DocumentsClient } from '../documents/client.js'
import { DocumentsCommand, defaultLayer } from './documents-command.js'

const variable = 'STEWARD_DOCUMENT_PASSWORD'

export abstract class ReadingCommand extends DocumentsCommand {
  /** Flag without a value: every user of the machine can read passwords in arguments. */
  password = Option.Boolean('--password', false, {
    description: `Ask for the password of an encrypted document, or read it from stdin. Default: ${variable}.`,
  })

  layer = Option.String('--layer', {
    description: `Layer to read. Default: ${defaultLayer}. A layer that nobody edited shows the document as uploaded.`,
  })

  /** Warns on stderr if the named layer has no edits. */
  protected async noteUneditedLayer(client: DocumentsClient, docId: string): Promise<void> {
    const { layer } = this
    if (layer === undefined) return
    const { remarkOnLayer } = await import('../documents/unedited-layer.js')
    const remark = await remarkOnLayer(client, this.layerPath(docId, layer), layer)
    if (remark !== undefined) this.output.note(remark)
  }

  protected async connectForReading(): Promise<DocumentsClient> {
    return this.connect({ documentPassword: await this.readPassword() })
  }

  protected async readPassword(): Promise<string | undefined> {
    if (!this.password) return this.context.env[variable] || undefined
    const { readSecret } = await import('../documents/read-secret.js')
    return readSecret(this.context, { variable, question: 'Password of the document: ' })
  }
}
