// Descriptions of parameters and members of webhooks and their deliveries.

export const webhookTerms = {
  webhookId: 'Id of the webhook.',
  deliveryId: 'Id of the delivery: one event for one webhook.',
  webhooks: 'Webhooks, newest first.',
  webhook: 'The webhook as it is now.',
  'webhooks.create.url':
    'https URL that events are sent to with POST. Its host must be at a public address, or at one that the setting `webhookAllow` of the deployment allows; redirects are not followed.',
  'webhooks.update.url': 'New URL, with the same rules as at creation.',
  'webhook.url': 'URL that events are sent to.',
  'webhooks.url': 'URL that events are sent to.',
  'webhooks.create.types': 'Types of events to send.',
  'webhooks.update.types': 'Types of events to send from now on.',
  types: 'Types of events that are sent.',
  'webhook.id': 'Id of the webhook.',
  'webhooks.id': 'Id of the webhook.',
  'webhook.status': '`paused`: nothing is sent until the webhook is resumed.',
  'webhooks.status': '`paused`: nothing is sent until the webhook is resumed.',
  pauseReason:
    '`requested`: by `webhooks.pause`. `failing`: the endpoint answered no delivery with success for 72 hours. `gone`: it answered 410; then events are not recorded either.',
  failingSince:
    'Time of the first failed attempt since the last success, in milliseconds since 1970; null = none failed.',
  skippingSince:
    'Time since which events are not recorded, because more than 10,000 deliveries wait, in milliseconds since 1970; null = they are recorded.',
  earlierSecretUntil:
    'Time until which the secret before the last rotation signs too, in milliseconds since 1970; null = there is none.',
  'webhook.createdBy': 'Subject of the token it was created with.',
  'webhooks.createdBy': 'Subject of the token it was created with.',
  'webhook.createdAt': 'When it was created, in milliseconds since 1970.',
  'webhooks.createdAt': 'When it was created, in milliseconds since 1970.',
  secret: 'Secret that deliveries are signed with, `whsec_` and base64. No later answer has it.',
  overlapSeconds: 'Seconds for which the secret before signs too; 0 = not at all. Default: a day.',
  deliveries: 'Deliveries, newest first.',
  delivery: 'The delivery as it is now.',
  'deliveries.id': 'Id of the delivery.',
  'delivery.id': 'Id of the delivery.',
  eventId: 'Id of the event, sent as the header `webhook-id`; the same for all attempts and webhooks.',
  'deliveries.type': 'Type of the event.',
  'delivery.type': 'Type of the event.',
  'deliveries.state':
    '`waiting` for an attempt, or for the end of an earlier delivery of the document; `delivered`; `given-up` after 72 hours, or after 410.',
  'delivery.state':
    '`waiting` for an attempt, or for the end of an earlier delivery of the document; `delivered`; `given-up` after 72 hours, or after 410.',
  attempts: 'Number of attempts that were started.',
  nextAttemptAt:
    'Time of the next attempt, in milliseconds since 1970; null = the delivery is over, or waits for an earlier one of the same document.',
  'deliveries.createdAt': 'When the event happened, or was to be delivered again, in milliseconds since 1970.',
  'delivery.createdAt': 'When the event happened, or was to be delivered again, in milliseconds since 1970.',
  last: 'The last attempt; null before the first one.',
  attempt: 'What came of the attempt.',
  'last.at': 'When it began, in milliseconds since 1970.',
  'attempt.at': 'When it began, in milliseconds since 1970.',
  durationMs: 'How long it took, in milliseconds.',
  statusCode: 'Status that the endpoint answered with; null = none.',
  error:
    'Null = success, a status from 200 to 299. `address-not-allowed`: the host does not exist, or is at an address that nothing is sent to. `redirect`, `status`, `gone`: the status. `secret-unreadable`: the sealing key of the deployment was replaced; rotate the secret. `expired`: given up without a further attempt.',
} as const
