// Sends one event to one endpoint, once. Redirects are not followed: they could lead anywhere.
import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../core/ports/clock.js'
import type { Account } from '../../workers/messages/account.js'
import { dial, type Message } from '../imports/dial.js'
import { SourceTooSlow } from '../imports/failures.js'
import { addressesOf, type ImportPolicy } from '../imports/guard.js'
import type { Network } from '../imports/network.js'
import { webhookLimits } from '../outbox/webhook-limits.js'
import { Refusal } from '../refusals/refusal.js'
import type { AttemptFacts, DeliveryError } from '../rows/webhook-delivery.js'

export interface Sent {
  readonly url: string
  readonly message: Message
}

export interface SendPorts {
  readonly policy: ImportPolicy
  readonly network: Network
  readonly clock: Clock
  /** Account of the webhook's tenant. */
  readonly account: Account
  /** Signal that is aborted when this process stops. */
  readonly stopping: AbortSignal
}

/** Sends the message. Never rejects: a failure is part of the facts. */
export async function sendEvent({ url, message }: Sent, ports: SendPorts): Promise<AttemptFacts> {
  const at = ports.clock.now()
  const startedMs = performance.now()
  const facts = (outcome: Pick<AttemptFacts, 'statusCode' | 'error'>): AttemptFacts => ({
    at,
    durationMs: Math.round(performance.now() - startedMs),
    ...outcome,
  })
  const deadline = AbortSignal.timeout(ports.network.timeouts.totalMs)
  const signal = AbortSignal.any([deadline, ports.stopping])
  try {
    const response = await post(new URL(url), { message, signal }, ports)
    const statusCode = response.statusCode ?? 0
    await readAnswer(response)
    return facts({ statusCode, error: errorOfStatus(statusCode) })
  } catch (error) {
    if (ports.stopping.aborted) return facts({ statusCode: null, error: 'interrupted' })
    return facts({ statusCode: null, error: deadline.aborted ? 'timeout' : errorOf(error) })
  }
}

/** Tries the addresses in turn. The endpoint may get the same event twice, as after every lost answer. */
async function post(
  url: URL,
  { message, signal }: { readonly message: Message; readonly signal: AbortSignal },
  ports: SendPorts,
): Promise<IncomingMessage> {
  const { network, account } = ports
  let failure: unknown
  for (const address of await addressesOf(url, ports, { account, signal })) {
    signal.throwIfAborted()
    try {
      return await dial({ url, address, message }, network, signal)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** Reads the answer, which means nothing, so that the endpoint can send it to its end; a long one is cut off. */
async function readAnswer(response: IncomingMessage): Promise<void> {
  let received = 0
  try {
    for await (const chunk of response) {
      received += chunk.length
      if (received > webhookLimits.answerBytesMax) break
    }
  } catch {
    // The status is known; how the body ends does not matter.
  } finally {
    response.destroy()
  }
}

function errorOfStatus(statusCode: number): DeliveryError | null {
  if (statusCode >= 200 && statusCode < 300) return null
  if (statusCode === 410) return 'gone'
  return statusCode >= 300 && statusCode < 400 ? 'redirect' : 'status'
}

/** Codes of the TLS library for certificates that are not accepted. */
const certificateCode = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA/

function errorOf(error: unknown): DeliveryError {
  if (error instanceof SourceTooSlow) return 'timeout'
  if (error instanceof Refusal) return error.code === 'ImportRefused' ? 'address-not-allowed' : 'connection-failed'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return certificateCode.test(code) ? 'tls-failed' : 'connection-failed'
}
