// `doc.access`: opens the session of a viewer. With the password of an encrypted document, requests with the same token read
// it from then on.
import type { Static } from 'typebox'
import { networkOf } from '../auth/rates.js'
import { viewOf } from '../documents/view.js'
import { limits } from '../limits.js'
import { reserveNumbers, reserving } from '../object-numbers/reserve-numbers.js'
import { hasRights, permissionBitsFor } from '../operation/authority.js'
import type { DocumentContext } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import type { AccessRequest, DocumentAccess } from '../schemas/access.js'
import { countOpening } from '../tenants/views.js'
import { type AccessState, describeAccess } from './describe-access.js'
import { grantOf, passwordOfGrant } from './password-grant.js'
import { openedAsOf, passwordRequired, provePassword } from './prove-access.js'
import { storeSession } from './store-session.js'

export async function startAccess(
  request: Static<typeof AccessRequest>,
  context: DocumentContext,
): Promise<Static<typeof DocumentAccess>> {
  const { deployment, document, caller } = context
  const { clock } = deployment
  const answerOf = async (opened: DocumentContext, state: AccessState) => ({
    ...(await describeAccess(opened, state)),
    ...(await numbersFor(opened, state, request.objectNumbers)),
  })
  // Refuses a document without a file.
  await viewOf(context)
  const tokenEnd = caller.kind === 'document' ? caller.expiresAt * 1000 : Number.POSITIVE_INFINITY
  const expiresAt = Math.floor(Math.min(tokenEnd, clock.now() + limits.passwordSessionMs))
  if (document.row.encryption?.state !== 'encrypted') {
    await countOpening(context)
    return answerOf(context, { expiresAt, openedAs: 'none', passwordGrant: null })
  }
  const { password, isOwn } = passwordOf(request, context)
  if (password === undefined) {
    if (document.row.encryption.requiresPassword) throw passwordRequired()
    await countOpening(context)
    return answerOf(context, { expiresAt, openedAs: 'user', passwordGrant: null })
  }
  // The API token may try as often as it likes: it reads every file of the deployment.
  const isTrusted = isOwn || caller.kind === 'api'
  const unlocked = await (isTrusted ? provePassword : guess)({ ...context, password }, password)
  const openedAs = await openedAsOf(unlocked)
  if (request.mode === 'owner' && openedAs !== 'owner') {
    throw new Refusal('DocPasswordIncorrect', 'The password opens the document, but it is not the one of the owner')
  }
  const sessionEnd = clock.now() + limits.passwordSessionMs
  await countOpening(unlocked)
  // The API token has no session: it sends the password with each request.
  if (caller.kind === 'document') {
    await storeSession({ ...unlocked, caller }, { password, openedAs, expiresAt: sessionEnd })
  }
  return answerOf(unlocked, { expiresAt, openedAs, passwordGrant: grantOf(unlocked, password, sessionEnd) })
}

/** Reserves the object numbers that the request asks for. A document without free numbers is opened without them. */
async function numbersFor(context: DocumentContext, { openedAs }: AccessState, count = 0) {
  const { document, caller } = context
  const bits = permissionBitsFor(document.row, openedAs)
  if (count === 0 || !hasRights(reserving, caller, bits)) return {}
  try {
    const { isContinued, ...reserved } = await reserveNumbers(context, count)
    return { edit: { session: isContinued ? ('live' as const) : ('new' as const), ...reserved } }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'LayerFull') return {}
    throw error
  }
}

interface BroughtPassword {
  readonly password: Uint8Array | undefined
  /** True for the password of a session or grant of the caller, which was verified before. */
  readonly isOwn: boolean
}

/** Returns the password that the request brings, or else the one of the running session. */
function passwordOf(request: Static<typeof AccessRequest>, context: DocumentContext): BroughtPassword {
  if (request.password !== undefined && request.password !== '') {
    const password = Buffer.from(request.password, 'utf8')
    const isOwn = context.password !== undefined && password.equals(context.password)
    if (password.length <= limits.documentPasswordBytesMax) return { password, isOwn }
    throw new Refusal('DocPasswordIncorrect', 'The password is longer than any password of a PDF')
  }
  if (request.passwordGrant !== undefined) {
    return { password: passwordOfGrant(context, request.passwordGrant), isOwn: true }
  }
  return { password: context.password, isOwn: true }
}

/**
 * Verifies a password. Wrong ones are counted by document and network; the attempt is counted before the work. A right one
 * is counted as well, also if it was used before: an answer at the limit would tell that it is right.
 */
async function guess(context: DocumentContext, password: Uint8Array): Promise<DocumentContext> {
  const { deployment, document, address } = context
  const visitor = `${document.internal} ${networkOf(address)}`
  await deployment.rates.documentGuesses.count(visitor)
  try {
    const proven = await provePassword(context, password)
    await deployment.rates.documentGuesses.reset(visitor)
    return proven
  } catch (error) {
    if (!isWrong(error)) await deployment.rates.documentGuesses.reset(visitor)
    throw error
  }
}

const isWrong = (error: unknown): boolean => (error as { code?: unknown }).code === 'DocPasswordIncorrect'
