/** Keys of those who run models; how a line is read stands in `../formats.ts`. */
export const models = `
  OpenAI or Anthropic key  sk-(?:[a-z]{2,10}[0-9]{0,3}-)*[A-Za-z0-9_-]{20,}  sk-⁂vq-R5PYZp⁂cb9T2039B⁂ICbtw  sk-⁂vq-R5PYZp⁂cb9T20
  Hugging Face token  (?:hf|api_org)_(?:(?=[A-Za-z]{0,40}[0-9])[A-Za-z0-9]{30,}|[A-Za-z]{34}(?![A-Za-z]))  api⁂_org_EZhd⁂cPyGOJJhr⁂GuspwdFjx⁂CAyIOkCpt⁂TIo  api⁂_org_EZhd⁂cPyGOJJhr⁂GuspwdFj
  Replicate token  r8_[A-Za-z0-9]{30,}  r8_⁂hobswHGET⁂h8lMYQOym⁂AAiTdR9Up⁂14P  r8_⁂hobswHGET⁂h8lMYQOym⁂AA
  Groq or xAI key  (?:gsk_|xai-)[A-Za-z0-9]{30,}  xai⁂-jPB9atpT⁂DBMf4rpaF⁂QOqb7XOfC⁂sVta  xai⁂-jPB9atpT⁂DBMf4rpaF⁂QO
  Perplexity key  pplx-[A-Za-z0-9]{30,}  ppl⁂x-rZMAzSv⁂2gENfMTx0⁂MOdOQw4SG⁂8nfnL  ppl⁂x-rZMAzSv⁂2gENfMTx0⁂MOd
  Langfuse key  [ps]k-lf-[a-f0-9-]{36}  sk-⁂lf-aa4e99⁂bbcf69f86⁂1c5403eb0⁂f5848654a⁂494  sk-⁂lf-aa4e99⁂bbcf
  Pinecone key  pcsk_[A-Za-z0-9_]{40,}  pcs⁂k_5L3v26x⁂KhBWxtPc3⁂fNo6W5zYd⁂NUy5BGquA⁂Ezp6Zr  pcs⁂k_5L3v26x⁂KhBWxtPc3⁂fNo6W5zYd⁂N
  LangSmith key  lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}  lsv⁂2_sk_1676⁂1a2a27115⁂0472390f9⁂2e33c4a91⁂f_80b05b8⁂f7e  lsv⁂2_sk_1676⁂1a2a2711
  Tavily or Exa key  tvly-[A-Za-z0-9-]{20,}  tvl⁂y-rBzHJ6A⁂I6TJgvWGw⁂KdrZ  tvl⁂y-rBzHJ6A⁂I6TJg
  NVIDIA key  nvapi-[A-Za-z0-9_-]{40,}  nva⁂pi-aVp6qt⁂Z4V5ClPMy⁂osACIgmOk⁂bsGuBD5UE⁂4HH9fIh  nva⁂pi-aVp6qt⁂Z4V5ClPMy⁂osACIgmOk⁂bs
  Together key  (?:tgp_v1_|llx-)[A-Za-z0-9_-]{40,}  tgp⁂_v1_FwKJ1⁂QBbZnhHSk⁂4HFqlNOPm⁂xygt0D0PE⁂mVGCNnxs  tgp⁂_v1_FwKJ1⁂QBbZnhHSk⁂4HFqlNOPm⁂xy
`;
