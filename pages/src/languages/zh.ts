import type { Words } from '../words.ts'

/** Chinese (simplified). */
export const zh: Words = {
  contact: {
    save: '保存联系人',
    call: '拨打电话',
    mail: '写邮件',
    website: '网站',
    address: '地址',
    note: '备注',
  },
  wifi: {
    title: '连接 Wi-Fi',
    network: '网络',
    password: '密码',
    open: '无需密码',
    hidden: '此网络隐藏了名称：请在 Wi-Fi 设置中输入名称。',
    copy: '复制密码',
    copied: '密码已复制',
    touch: '轻触密码即可选中，然后复制。',
    picture: '要让另一部手机连接，请用它的相机扫描此图。',
  },
  mail: { title: '写邮件', action: '打开邮件', to: '收件人', subject: '主题', message: '内容' },
  sms: { title: '发送短信', action: '打开短信', to: '收件人', message: '内容' },
  phone: { title: '拨打电话', action: '立即拨打' },
  menu: { sections: '分类' },
  social: { follow: '关注我们' },
  app: { get: '获取应用', ios: 'App Store', android: 'Google Play' },
  badLink: { title: '无法打开此链接', text: '它的地址不是网址。请告知向您提供此码的人。' },
  unknown: { title: '找不到此码', text: '请检查地址，或重新扫描。' },
  gone: { title: '此码已停用', text: '所有者已将其关闭。' },
  later: { title: '请稍后再试', text: '暂时无法查询此码。' },
  reached: { title: '这部手机可以打开您的码', text: '您可以关闭此页面。' },
  home: { title: '这里是二维码的地址', text: '请扫描二维码，或输入印在其下方的完整短网址。' },
  method: { title: '请在浏览器中打开此地址', text: '程序无法向它发送数据。' },
}
