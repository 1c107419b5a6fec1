// Problems of calls to providers, by their class instead of the status.
import type { ProblemTable } from '../diagnostic.js'

export const callProblems = {
  'provider.left-emulator': {
    severity: 'error',
    summary: 'The plugin ignores the emulator',
    meaning: 'With an emulator no request reaches a real provider. This one would have, so it was refused.',
    example: 'The plugin of acme was about to send a request to api.acme.example. Nothing was sent.',
    fix: 'In `connect` of the plugin, take the address from `environment.emulatorUrl` when it is set.',
  },
  'provider.unavailable': {
    severity: 'error',
    summary: 'The provider did not answer properly in time',
    meaning: 'The connection failed, or the service was overloaded for longer than calls are retried.',
    example: 'POST /agents: HTTP 503: upstream unavailable',
    fix: 'Run the command again; everything that was done is recorded.',
  },
  'provider.gone': {
    severity: 'error',
    summary: 'The object does not exist',
    example: 'GET /agents/agent_1: HTTP 404: not found',
    fix: 'Run "agents plan" to see what is left.',
  },
  'provider.name-taken': {
    severity: 'error',
    summary: 'Another object has this name already',
    meaning: 'Names are unique at the provider. An object that agents did not create is never bound by its name.',
    example: 'POST /vaults: HTTP 409: a vault named "keys" exists',
    fix: 'Rename one of them, or bind the existing object with "agents import ADDRESS ID". Where two resources of this project exchange names, give one of them a temporary name, apply, and give it its own name then.',
  },
  'provider.changed-meanwhile': {
    severity: 'error',
    summary: 'The object changed while it was being updated',
    example: 'PUT /agents/agent_1: HTTP 409: version conflict',
    fix: 'Run "agents plan" to see the change, then apply again.',
  },
  'provider.in-use': {
    severity: 'error',
    summary: 'Something else still uses the object',
    meaning: 'The provider refuses the removal while sessions or other objects need it.',
    example: 'agent_1 cannot be removed while it is in use: 2 sessions.',
    fix: 'End what uses it, then run the command again ("agents destroy --cascade" ends sessions).',
  },
  'provider.denied': {
    severity: 'error',
    summary: 'The provider refused the credentials',
    meaning: 'The key is wrong, expired, of another account, or not allowed to do this.',
    example: 'GET /agents: HTTP 401: invalid api key',
    fix: 'Check the key under providers in agents.yaml, and what it is allowed to do.',
  },
  'provider.invalid': {
    severity: 'error',
    summary: 'The provider refused the request',
    meaning: 'The provider has a rule that agents does not know, or that depends on the account.',
    example: 'POST /agents: HTTP 400: model "gpt" is not available',
    fix: 'Correct the declaration as the message describes.',
  },
  'provider.unexpected-answer': {
    severity: 'error',
    summary: 'The answer did not come from the API',
    meaning:
      'A login page, a proxy, a maintenance page or another service answered at this address. Nothing was recorded.',
    example:
      'GET /agents: HTTP 200: api.example.com answered 200 text/html ("<html>Please log in") where an object with an id was expected',
    fix: 'Check the address of the provider in agents.yaml and any proxy in between, then run the command again.',
  },
  'provider.rejected': {
    severity: 'error',
    summary: 'The provider checked the object and rejected it',
    meaning: 'The provider accepted the object at first, and a later check, such as a scan of an upload, refused it.',
    example: 'acme.skill.review was accepted and then rejected: the scan found a problem.',
    fix: 'Change its content and apply again.',
  },
} as const satisfies ProblemTable
