// Rules for the URLs of webhooks, and for the addresses that their hosts may have.
import { isIP } from 'node:net'
import { hostnameOf, type ImportPolicy, isSanePort, portOf } from '../imports/guard.js'
import { type Network, systemNetwork } from '../imports/network.js'
import { webhookLimits } from '../outbox/webhook-limits.js'
import { invalidArg } from '../refusals/refusal.js'
import { isReachable, parseAddressRange } from '../settings/addresses.js'
import type { Config } from '../settings/config.js'

type WebhookSettings = Pick<Config, 'webhookAllow' | 'webhookHttp'>

/** Returns the policy of deliveries. It is that of imports with the settings of webhooks. */
export const endpointPolicy = ({ webhookAllow, webhookHttp }: WebhookSettings): ImportPolicy => ({
  schemes: webhookHttp ? ['https:', 'http:'] : ['https:'],
  allowed: webhookAllow.map(parseAddressRange),
})

/**
 * Throws `InvalidArg` for a URL that no delivery would be sent to. The addresses of a host name are checked at every
 * delivery, because they may change.
 */
export function checkEndpoint(text: string, settings: WebhookSettings): void {
  if (/[\p{Cc}\p{Cf}\s]/u.test(text)) throw invalidArg('url must not contain white space or control characters')
  if (!URL.canParse(text)) throw invalidArg('url is not an absolute URL')
  const url = new URL(text)
  const { schemes, allowed } = endpointPolicy(settings)
  const hostname = hostnameOf(url)
  if (!schemes.includes(url.protocol)) {
    const allowsHttp = schemes.includes('http:')
    const hint = allowsHttp ? ' or http://' : '; the setting webhookHttp (agents serve --webhook-http) allows http://'
    throw invalidArg(`url must begin with https://${hint}`)
  }
  if (url.username !== '' || url.password !== '') throw invalidArg('url must not contain a user name or password')
  if (!isSanePort(portOf(url))) throw invalidArg('url must not use a port below 1024 other than 80 and 443')
  if (isIP(hostname) !== 0 && !isReachable(hostname, allowed)) {
    throw invalidArg(
      'url is at an address that this deployment sends nothing to; the setting webhookAllow (agents serve --webhook-allow) allows some',
    )
  }
}

/** Network of deliveries: shorter timeouts than those of imports. */
export const endpointNetwork: Network = {
  resolve: systemNetwork.resolve,
  timeouts: {
    connectMs: webhookLimits.connectTimeoutMs,
    idleMs: webhookLimits.attemptMs,
    totalMs: webhookLimits.attemptMs,
    bytesPerSecondMin: 0,
  },
}
