// Values in agents.yaml with another name in the specification or at Qoder: alias to the accepted name.

export const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'channel.type': { im_type_a: 'dingtalk', im_type_b: 'feishu', im_type_c: 'wecom' },
}
