// Descriptions of parameters and members of webhooks and their deliveries.

export const webhookTerms = {
  webhookId: 'Id of the webhook.',
  deliveryId: 'Id of the delivery: one event for one webhook.',
  webhooks: 'Webhooks, newest first.',
  webhook: 'The webhook as it is now.',
  'webhooks.create.url':
    'https URL that events are sent to with POST. Its host must be at a public address, or at one that the setting `webhookAllow` of the deployment allows; redirects are not followed.',
  'webhooks.update.url': 'New URL, with the same rules as at creation.',
  'Webhook.url': 'URL that events are sent to.',
  'webhooks.create.types': 'Types of events to send.',
  'webhooks.update.types': 'Types of events to send from now on.',
  'Webhook.types': 'Types of events that are sent.',
  'Webhook.id': 'Id of the webhook.',
  'Webhook.status': '`paused`: nothing is sent until the webhook is resumed.',
  pauseReason:
    '`requested`: by `webhooks.pause`. `failing`: the endpoint answered no delivery with success for 72 hours. `gone`: it answered 410; then events are not recorded either.',
  failingSince:
    'Time of the first failed attempt since the last success, in milliseconds since 1970; null = none failed.',
  skippingSince:
    'Time since which events are not recorded, because more than 10,000 deliveries wait, in milliseconds since 1970; null = they are recorded.',
  earlierSecretUntil:
    'Time until which the secret before the last rotation signs too, in milliseconds since 1970; null = there is none.',
  'Webhook.createdBy': 'Subject of the token it was created with.',
  'Webhook.createdAt': 'When it was created, in milliseconds since 1970.',
  secret: 'Secret that deliveries are signed with, `whsec_` and base64. No later answer has it.',
  overlapSeconds: 'Seconds for which the secret before signs too; 0 = not at all. Default: a day.',
  deliveries: 'Deliveries, newest first.',
  delivery: 'The delivery as it is now.',
  'WebhookDelivery.id': 'Id of the delivery.',
  eventId: 'Id of the event, sent as the header `webhook-id`; the same for all attempts and webhooks.',
  'WebhookDelivery.type': 'Type of the event.',
  'WebhookDelivery.state':
    '`waiting` for an attempt, or for the end of an earlier delivery of the document; `delivered`; `given-up` after 72 hours, or after 410.',
  'WebhookDelivery.attempts': 'Number of attempts that were started.',
  nextAttemptAt:
    'Time of the next attempt, in milliseconds since 1970; null = the delivery is over, or waits for an earlier one of the same document.',
  'WebhookDelivery.createdAt': 'When the event happened, or was to be delivered again, in milliseconds since 1970.',
  'WebhookDelivery.last': 'The last attempt; null before the first one.',
  attempt: 'What came of the attempt.',
  'WebhookAttempt.at': 'When it began, in milliseconds since 1970.',
  'WebhookAttempt.durationMs': 'How long it took, in milliseconds.',
  'WebhookAttempt.statusCode': 'Status that the endpoint answered with; null = none.',
  'WebhookAttempt.error':
    'Null = success, a status from 200 to 299. `address-not-allowed`: the host does not exist, or is at an address that nothing is sent to. `redirect`, `status`, `gone`: the status. `secret-unreadable`: the sealing key of the deployment was replaced; rotate the secret. `expired`: given up without a further attempt.',
  // Events, as they are sent.
  'WebhookEvent.id': 'Id of the event, equal to the header `webhook-id`.',
  'WebhookEvent.type': 'What happened; `webhook.ping` is a test.',
  'WebhookEvent.timestamp': 'When it happened, ISO 8601 in UTC.',
  'WebhookEvent.data':
    'Facts of the event, without content of the document. Members without a meaning for it are null.',
  'WebhookEvent.data.docId': 'Id of the document; null in a ping.',
  'WebhookEvent.data.layerName': 'Layer that was changed, signed or shared.',
  'WebhookEvent.data.version': 'Number of the version that was created, or that the changed layer is over.',
  'WebhookEvent.data.sha256': 'SHA-256 of the version that was created.',
  'WebhookEvent.data.change': 'Id of the change in the event stream of the layer.',
  'WebhookEvent.data.kind': 'Kind of the change, as in the event stream.',
  'WebhookEvent.data.actor': 'Subject of the credential that caused the event.',
  'WebhookEvent.data.failureReason': 'Why the document failed.',
} as const
