//! Options of engines that are not here. They are known so that a job which has them is told why it cannot run.

use super::OptionDef;
use super::kind::{COUNT, OptionKind};
use super::row::refused;

const WHY: &str = "its engine is not here";

const fn of(engines: &'static [&'static str], name: &'static str) -> OptionDef {
    refused(name, WHY).engines(engines)
}

const fn number(engines: &'static [&'static str], name: &'static str) -> OptionDef {
    of(engines, name).kind(COUNT)
}

const fn switch(engines: &'static [&'static str], name: &'static str) -> OptionDef {
    of(engines, name).kind(OptionKind::Switch)
}

const fn flag(engines: &'static [&'static str], name: &'static str) -> OptionDef {
    of(engines, name).kind(OptionKind::Flag)
}

const fn word(
    engines: &'static [&'static str],
    name: &'static str,
    words: &'static [&'static str],
) -> OptionDef {
    of(engines, name).kind(OptionKind::Word(words))
}

const BLKIO: &[&str] = &["libblkio"];
const CEPH: &[&str] = &["rados", "rbd"];
const CPU: &[&str] = &["cpuio"];
const CUFILE: &[&str] = &["libcufile"];
const DFS: &[&str] = &["dfs"];
const E4DEFRAG: &[&str] = &["e4defrag"];
const EXEC: &[&str] = &["exec"];
const GLUSTER: &[&str] = &["gfapi", "gfapi_async"];
const HDFS: &[&str] = &["libhdfs"];
const HTTP: &[&str] = &["http"];
const NET: &[&str] = &["net", "netsplice"];
const NVME: &[&str] = &["io_uring_cmd"];
const PORT: OptionKind = OptionKind::Count { min: 1, max: 65_535 };
const PROTECTION: &[&str] = &["io_uring", "io_uring_cmd", "xnvme"];
const RADOS: &[&str] = &["rados"];
const RDMA: &[&str] = &["rdma"];
const RPMA: &[&str] = &[
    "librpma_apm",
    "librpma_apm_client",
    "librpma_apm_server",
    "librpma_gpspm_client",
    "librpma_gpspm_server",
];
const SG: &[&str] = &["sg"];
const XNVME: &[&str] = &["xnvme"];

pub(super) const ROWS: &[OptionDef] = &[
    // NVMe and SCSI commands.
    word(&["io_uring", "io_uring_cmd"], "cmd_type", &["nvme"]).default("nvme").help("Kind of the commands."),
    word(NVME, "write_mode", &["write", "uncor", "zeroes", "verify"])
        .default("write")
        .help("Which command a write is."),
    word(NVME, "verify_mode", &["read", "compare"]).default("read").help("Which command a check is."),
    switch(NVME, "deac").default("0").help("Deallocate what is written as zeros."),
    switch(&["sg", "io_uring_cmd"], "readfua")
        .default("0")
        .help("Read from the medium, past the drive's cache."),
    switch(&["sg", "io_uring_cmd"], "writefua")
        .default("0")
        .help("Write to the medium, past the drive's cache."),
    number(PROTECTION, "md_per_io_size").default("0").help("Length of the buffer for separate metadata."),
    switch(PROTECTION, "pi_act").default("1").help("Let the drive handle protection information."),
    of(PROTECTION, "pi_chk").help("Parts of the protection information that are checked."),
    number(PROTECTION, "apptag").default("0x1234").help("Application tag of the protection information."),
    number(PROTECTION, "apptag_mask").default("0xffff").help("Bits of that tag that count."),
    flag(&["sg", "xnvme", "libblkio"], "hipri").help("Ask the drive whether an I/O is complete."),
    word(
        SG,
        "sg_write_mode",
        &[
            "write",
            "write_and_verify",
            "verify",
            "write_same",
            "same",
            "write_same_ndob",
            "verify_bytchk_00",
            "verify_bytchk_01",
            "verify_bytchk_11",
            "write_stream",
        ],
    )
    .default("write")
    .help("Which command a write is."),
    number(SG, "stream_id").default("0").help("Stream that writes belong to."),
    flag(XNVME, "sqthread_poll").help("Let a thread of the kernel take the requests."),
    word(
        XNVME,
        "xnvme_async",
        &["emu", "thrpool", "io_uring", "io_uring_cmd", "libaio", "posix", "vfio", "nil"],
    )
    .help("Interface for many I/Os at once."),
    word(XNVME, "xnvme_sync", &["nvme", "psync", "block"]).help("Interface for one I/O after the other."),
    word(XNVME, "xnvme_admin", &["nvme", "block"]).help("Interface for administration."),
    number(XNVME, "xnvme_dev_nsid").help("Namespace of the drive."),
    of(XNVME, "xnvme_dev_subnqn").help("Name of the subsystem over fabrics."),
    word(XNVME, "xnvme_mem", &["posix", "hugepage", "spdk", "vfio"])
        .help("Where the memory of buffers comes from."),
    flag(XNVME, "xnvme_iovec").help("Use requests with a list of buffers."),
    of(BLKIO, "libblkio_driver").help("Driver of libblkio."),
    of(BLKIO, "libblkio_path").help("Path that the driver opens."),
    of(BLKIO, "libblkio_pre_connect_props").help("Properties that are set before connecting."),
    number(BLKIO, "libblkio_num_entries").help("Entries of the driver's queue."),
    number(BLKIO, "libblkio_queue_size").help("Length of the driver's queue."),
    of(BLKIO, "libblkio_pre_start_props").help("Properties that are set before starting."),
    flag(BLKIO, "libblkio_vectored").help("Use requests with a list of buffers."),
    flag(BLKIO, "libblkio_write_zeroes_on_trim").help("Write zeros instead of trimming."),
    word(BLKIO, "libblkio_wait_mode", &["block", "eventfd", "loop"])
        .default("block")
        .help("How completions are waited for."),
    flag(BLKIO, "libblkio_force_enable_completion_eventfd").help("Signal completions by an eventfd."),
    switch(&["mtd"], "skip_bad").default("0").help("Leave out blocks that are known to be bad."),
    // The machine itself.
    number(CPU, "cpuload").help("Share of a CPU to keep busy, in percent."),
    number(CPU, "cpuchunks").default("50000").help("Length of a busy spell, in microseconds."),
    word(CPU, "cpumode", &["noop", "qsort"]).default("noop").help("What keeps the CPU busy."),
    switch(CPU, "exit_on_io_done").default("0").help("End when the jobs that do I/O have ended."),
    of(EXEC, "program").help("Program to run."),
    of(EXEC, "arguments").help("Arguments of that program."),
    number(EXEC, "grace_time").default("1").help("Time from asking it to end to ending it, in seconds."),
    switch(EXEC, "std_redirect").default("1").help("Keep its output in files."),
    of(E4DEFRAG, "donorname").help("File that gives its blocks."),
    of(E4DEFRAG, "inplace")
        .kind(OptionKind::Count { min: 0, max: 1 })
        .help("Allocate those blocks during the I/O."),
    // Networks.
    of(&["net", "netsplice", "rdma"], "hostname").help("Host to connect to."),
    number(&["net", "netsplice", "rdma", "libhdfs"], "port").kind(PORT).help("Port to connect to."),
    word(NET, "protocol", &["tcp", "tcpv6", "udp", "udpv6", "unix", "vsock"])
        .aliases(&["proto"])
        .default("tcp")
        .help("Protocol of the connection."),
    switch(NET, "nodelay").help("Send small packets at once."),
    flag(NET, "listen").help("Wait for connections instead of making one."),
    flag(NET, "pingpong").help("Answer each message."),
    of(NET, "interface").help("Interface for multicast."),
    number(NET, "ttl").default("1").help("Hops that multicast packets may make."),
    number(NET, "window_size").help("Length of the socket's buffer."),
    number(NET, "mss").help("Longest segment of TCP."),
    of(RDMA, "bindname").help("Local name to bind to."),
    word(RDMA, "verb", &["write", "read", "send", "recv"])
        .aliases(&["proto"])
        .default("write")
        .help("Operation of RDMA."),
    of(RPMA, "serverip").help("Address of the server."),
    number(RPMA, "port").kind(PORT).help("Port of the server."),
    switch(RPMA, "direct_write_to_pmem").help("Whether the server's memory can be written directly."),
    switch(RPMA, "busy_wait_polling").default("1").help("Whether the server waits busily."),
    // Storage over networks.
    of(CEPH, "clustername").help("Name of the cluster."),
    of(&["rados", "rbd", "dfs"], "pool").help("Name of the pool."),
    of(CEPH, "clientname").help("User of the cluster."),
    switch(CEPH, "busy_poll").default("0").help("Ask for completions instead of waiting."),
    of(RADOS, "conf").default("/etc/ceph/ceph.conf").help("The cluster's configuration."),
    switch(RADOS, "touch_objects").default("1").help("Make the objects first."),
    of(&["rbd"], "rbdname").help("Name of the image."),
    of(GLUSTER, "volume").help("Name of the volume."),
    of(GLUSTER, "brick").help("Host of the volume."),
    switch(&["gfapi", "gfapi_async", "libhdfs"], "single-instance").help("Use one connection for all jobs."),
    of(HTTP, "http_host").default("localhost").help("Host of the service."),
    of(HTTP, "http_user").help("User of the service."),
    of(HTTP, "http_pass").help("Password of that user."),
    word(HTTP, "https", &["off", "on", "insecure"])
        .default("off")
        .help("Whether the connection is encrypted."),
    word(HTTP, "http_mode", &["webdav", "swift", "s3"]).default("webdav").help("Kind of the service."),
    word(HTTP, "http_object_mode", &["block", "range"])
        .default("block")
        .help("Whether each block is an object or a part of one."),
    of(HTTP, "http_s3_region").default("us-east-1").help("Region of the service."),
    of(HTTP, "http_s3_key").help("Secret key."),
    of(HTTP, "http_s3_keyid").help("Name of that key."),
    of(HTTP, "http_s3_security_token").help("Temporary token."),
    of(HTTP, "http_s3_sse_customer_key").help("Key of the encryption."),
    of(HTTP, "http_s3_sse_customer_algorithm").default("AES256").help("Algorithm of the encryption."),
    of(HTTP, "http_s3_storage_class").default("STANDARD").help("Class of the storage."),
    of(HTTP, "http_swift_auth_token").help("Token of Swift."),
    number(HTTP, "http_verbose").default("0").help("How much libcurl tells."),
    of(&["nfs"], "nfs_url").help("Address of the export."),
    of(&["nbd"], "uri").help("Address of the device."),
    of(&["libiscsi"], "initiator").help("Name of the initiator."),
    of(HDFS, "namenode").help("Host of the name node."),
    of(HDFS, "hdfsdirectory").help("Directory for the chunks."),
    number(&["libhdfs", "dfs"], "chunk_size").help("Length of a chunk."),
    switch(HDFS, "hdfs_use_direct").default("0").help("Read past the cache."),
    of(DFS, "cont").help("Container to open."),
    of(DFS, "object_class").help("Class of objects."),
    of(CUFILE, "gpu_dev_ids").help("Graphics cards to use."),
    word(CUFILE, "cuda_io", &["cufile", "posix"]).default("cufile").help("How data reaches a graphics card."),
];
