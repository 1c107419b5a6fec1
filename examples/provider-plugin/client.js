// Determines where calls go and how they are signed. Deadlines, retries and waiting are the work of `ApiClient`.
import { ApiAddress, ApiClient, ApiKey, Exact, Type } from 'steward/plugin'
import { classify } from './failure.js'

/** @import { ConnectEnvironment, Identity, JsonObject, Static } from 'steward/plugin' */

export const configuration = Exact({
  api_key: ApiKey({ minLength: 1, description: 'Key of the account.' }),
  base_url: Type.Optional(ApiAddress({ minLength: 1, description: 'Another address of the API.' })),
})

/**
 * Returns the settings, which `configuration` has accepted.
 * @param {JsonObject} given
 */
const accepted = (given) => /** @type {Static<typeof configuration>} */ (/** @type {unknown} */ (given))

const defaultBaseUrl = 'https://api.acme.example/acme/v1'

/**
 * Returns the host that calls reach. State is tied to it, and people see it before they consent: it contains no secrets.
 * @param {JsonObject} given
 * @returns {Identity}
 */
export const identify = (given) => ({ host: accepted(given).base_url ?? defaultBaseUrl })

/**
 * Creates the client. With an emulator every call must go there: the caller was promised that none leaves the machine.
 * @param {JsonObject} given
 * @param {ConnectEnvironment} environment
 */
export function connect(given, environment) {
  const { emulatorUrl } = environment
  return new ApiClient({
    baseUrl: emulatorUrl === undefined ? identify(given).host : `${emulatorUrl}/acme/v1`,
    headers: () => ({ authorization: `Bearer ${accepted(given).api_key}` }),
    classify,
    environment,
  })
}
