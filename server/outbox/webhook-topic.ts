// Bus topic of deliveries that are due. Workers also search for them at intervals.
export const webhookTopic = 'webhooks'
