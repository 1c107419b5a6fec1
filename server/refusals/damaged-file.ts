// Refusal for a stored file that is missing or incomplete. The client is told that it is damage; the log names the file.
import { Refusal } from './refusal.js'

const reason = 'stored-file-damaged'

/** `cause`: names the file, for the log. */
export const damagedFile = (cause: unknown): Refusal =>
  new Refusal(
    'Unknown',
    'A stored file of this document is missing or damaged; the operator of the server finds its name in the log',
    { details: { reason }, cause },
  )

export const isDamage = ({ details }: Refusal): boolean => details?.['reason'] === reason
