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
  'provider.endless-list': {
    severity: 'error',
    summary: 'A list of the provider does not end',
    meaning:
      'A page of the list leads back to a page before it, or pages bring nothing new, so that the list would be read for ever. Nothing was recorded.',
    example: 'GET /agents: the list does not end: page 3 leads to {"page":"abc"}, as a page before it did',
    fix: 'Run the command again; if it stays, report the list to the provider, or to whoever runs a proxy in between.',
  },
  'provider.certificate': {
    severity: 'error',
    summary: 'There is no secure connection to the provider',
    meaning:
      'No secure connection could be made: there is no TLS at this address, or the certificate is expired, for another name, or signed by an authority that is not known here, as those of company proxies are. It is not tried again, unless the handshake was broken off, and nothing was sent.',
    example:
      'GET /agents: no answer: the certificate of api.example.com is not trusted: self-signed certificate in certificate chain',
    fix: 'If your company has an authority of its own, set NODE_EXTRA_CA_CERTS to a file with its certificate (PEM). Otherwise check the address of the provider, and its port.',
  },
  'provider.host-unknown': {
    severity: 'error',
    summary: 'The host of the provider does not exist',
    meaning: 'The name of the host has no address here. It is not tried again, and nothing was sent.',
    example: 'GET /agents: no answer: there is no host api.exampel.com',
    fix: 'Check the address of the provider in agents.yaml. In a network that is left by a proxy alone, set HTTPS_PROXY.',
  },
  'provider.proxy': {
    severity: 'error',
    summary: 'The proxy did not let the request through',
    meaning:
      'HTTPS_PROXY, HTTP_PROXY or ALL_PROXY names a proxy, or one stands in between without being named, and it wants a login, refuses the host, or cannot be reached. Nothing was done.',
    example: 'GET /agents: HTTP 407: the proxy proxy.example.com:3128 wants a user and a password',
    fix: 'Check HTTPS_PROXY (http://USER:PASSWORD@HOST:PORT where it wants a login), or list the host of the provider in NO_PROXY.',
  },
  'provider.too-large': {
    severity: 'error',
    summary: 'The request is too large for the provider, or for a proxy in between',
    example: 'POST /files: HTTP 413: api.example.com answered 413 text/html ("413 Request Entity Too Large")',
    fix: 'Make the upload, the text or the key smaller. If an own proxy or gateway answered, raise its limit.',
  },
  'provider.blocked': {
    severity: 'error',
    summary: 'The provider may not be used from here',
    meaning: 'It, or a network in between, refuses access for legal reasons (status 451), usually by country.',
    example: 'GET /agents: HTTP 451: not available in your country',
    fix: 'Use the provider from where it is offered, or another address of it.',
  },
  'provider.rejected': {
    severity: 'error',
    summary: 'The provider checked the object and rejected it',
    meaning: 'The provider accepted the object at first, and a later check, such as a scan of an upload, refused it.',
    example: 'acme.skill.review was accepted and then rejected: the scan found a problem.',
    fix: 'Change its content and apply again.',
  },
} as const satisfies ProblemTable
