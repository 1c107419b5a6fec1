// Credentials of each type of channel; other types are bound by a QR code.

export const channelCredentials: Readonly<Record<string, readonly string[]>> = {
  dingtalk: ['client_id', 'client_secret'],
  feishu: ['app_id', 'app_secret'],
  wecom: ['bot_id', 'secret'],
}
