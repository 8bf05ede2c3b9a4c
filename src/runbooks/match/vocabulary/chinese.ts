/** What people on call say in Chinese; how a line is read stands in `../languages.ts`. */
export const chinese = `
  disk-full  磁盘, 硬盘, 分区 ~ 满, 分区 ~ 写满, 空间不足, 剩余空间, 写满, 容量不足, 磁盘 ~ 满, 根分区, 撑爆, 爆满, 空间 ~ 不够, 没有空间
  memory-killed  内存不足, 内存 ~ 耗尽, 内存 ~ 杀, 内核 ~ 杀, 内存溢出, 被杀掉, 被杀死, 吃光内存, 内存 ~ 满
  connections-exhausted  连接数, 连接 ~ 用尽, 连接 ~ 耗尽, 连接 ~ 太多, 连接 ~ 满, 接続数, 接続 ~ 上限, 连接池, 连接 ~ 上限
  certificate-expired  证书, 証明書, 过期 ~ 浏览器, 浏览器 ~ 警告, 浏览器 ~ 不安全
  crash-loop  pod ~ 重启, 重启次数, 反复重启, 不断重启, 容器 ~ 重启, pod ~ 再起動, 启动后 ~ 退出, 启动 ~ 崩溃, 一直重启, 循环重启
  node-not-ready  kubelet ~ 停止, kubelet ~ 応答, 节点, 驱逐
  volume-claim-full  持久卷, 持久化卷, 存储卷
  consumer-lag  消费延迟, 消费组, 消费 ~ 积压, 消費 ~ 遅延, kafka ~ 积压, kafka ~ 遅延
  queue-backlog  队列, 没有消费者, 消息 ~ 堆积, 消息积压
  service-failed  服务 ~ 启动失败, 服务 ~ 无法启动, 服务 ~ 起不来, 服务 ~ 挂, 服务 ~ 停止, 启动失败
  scrape-failed  指标, 采集, 抓取, 监控 ~ 没有数据, 没有监控数据, 面板 ~ 没有数据, 监控 ~ 断
  notifications-failing  告警 ~ 发送, 告警 ~ 收到, 告警通知, 通知 ~ 发送, 没有收到告警, 通知 ~ 届, 没有收到 ~ 通知, 没有收到 ~ 告警, 没人收到, 没有人收到
  no-leader  没有 leader, 无 leader, 法定人数, 选主, 控制面, 失去 leader, 选举
  container-storage  docker ~ 空间, docker ~ 镜像, 镜像层, docker ~ 磁盘, 镜像 ~ 占, 构建缓存, 容器日志
  shards-unassigned  分片, 未分配, 集群 ~ 变红, 集群 ~ 红色
  replication-broken  主从, 从库, 复制, 同步 ~ 延迟, 同步 ~ 中断, 主从同步, 复制延迟
  name-resolution  域名解析, 解析失败, 解析 ~ 域名, 无法解析, dns ~ 解析, 名前解決, 名前 ~ 解決, dns ~ 失敗, 解析
  runners-offline  runner ~ 离线, 任务 ~ 排队, 工作流 ~ 排队
  cache-memory-limit  redis ~ 内存, 缓存 ~ 内存, 淘汰, 驱逐 ~ key, 缓存 ~ 满
  upstream-failing  网关, 上游, 后端 ~ 超时, 后端 ~ 无响应, 反向代理
  cpu-saturated  cpu ~ 过高, cpu ~ 使用率
  clock-skew  时钟, 時刻, 時計
  backup-failed  备份
  slow-queries  慢查询
  lock-contention  死锁, 锁等待
  inodes-exhausted  索引节点
  disk-failing  坏道, 硬盘故障
  power-or-heat  硬件
  network-loss  丢包
  file-handles  文件句柄, 文件描述符, 打开的文件
  image-pull  拉取 ~ 镜像, 镜像 ~ 拉取
  rollout-stuck  滚动更新 ~ 卡
  heap-pressure  垃圾回收, 堆内存
  payments-failing  支付失败, 支付 ~ 失败, 決済 ~ 失敗
  no-primary  没有主节点
  traffic-flood  攻击 ~ 流量
  ssh-refused  ssh ~ 拒绝
  login-failing  登录
  mail-queue  邮件队列, 邮件 ~ 队列, 黑名单 ~ 邮件
  security  勒索
  requests  无需处理, 已完成, 升级完成, 建议, 请问, 希望增加, 功能请求, 计划 ~ 升级, 下个季度, 下季度, 文档, 提案, 質問, 要望, 来期
`;
