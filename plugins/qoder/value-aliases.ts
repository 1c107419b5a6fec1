// Values in agents.yaml that have another name in the specification or at Qoder, with the name that the schema accepts.

export const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'channel.type': { im_type_a: 'dingtalk', im_type_b: 'feishu', im_type_c: 'wecom' },
}
